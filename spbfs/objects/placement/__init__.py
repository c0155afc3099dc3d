"""Where storage lies: on which device, in which memory and process, and whose it is."""
