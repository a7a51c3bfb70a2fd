"""An origin of https as browsers write it: scheme, host in lower case, and a port where it is not the usual one."""

import re

ORIGIN = re.compile(r"https://[-.a-z0-9]+(?::[0-9]+)?")
