"""What the figures of each page show for the chosen numbers: computed by ldp, nothing drawn."""
