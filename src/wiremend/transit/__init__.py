"""A conversation on its way to a provider, as bytes: read, judged, mended, sent again.

What the proxy and the HTTP transports share. No socket, file or clock is known here.
"""
