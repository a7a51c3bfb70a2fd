"""The data of the lab's figures for chosen numbers: computed by ldp, nothing drawn."""
