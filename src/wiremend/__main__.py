"""``python -m wiremend``."""

from wiremend.cli import main

if __name__ == "__main__":
    main()
