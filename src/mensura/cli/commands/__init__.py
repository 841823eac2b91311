"""The commands, one module each, with ``configure(parser)`` and ``run(arguments)``."""
