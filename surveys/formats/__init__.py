"""How each language writes dates and numbers; Django reads these modules by their names (FORMAT_MODULE_PATH)."""
