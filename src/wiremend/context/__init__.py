"""What is put into the context, and how the model sees it.

Tool results in words, reminders, notifications, tools that are announced and loaded later, and
the guard against foreign text that looks like any of these.
"""
