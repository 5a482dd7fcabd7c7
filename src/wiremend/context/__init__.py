"""What is put into the context, and how the model sees it."""
