"""A command a module, by its name: `run` does what the arguments say."""
