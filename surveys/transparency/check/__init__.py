"""What outsiders need to check that everybody is served the same page, and that it is the published one."""
