"""wiremend inside the SDKs and frameworks that people use: one module each, loaded when it is used.

A module needs the package that it is for; without it, importing it raises ``WiremendError``, which
names the extra to install. Nothing in the rest of wiremend imports from here.
"""
