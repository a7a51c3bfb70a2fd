"""The data of the lab's figures for the reader's numbers. ldp computes them; nothing is drawn."""
