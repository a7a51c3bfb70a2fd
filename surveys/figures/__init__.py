"""How numbers are written, said and drawn, whatever was asked."""
