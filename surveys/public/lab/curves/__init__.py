"""What the figures of the lab show for chosen numbers, as data: computed by ldp, nothing drawn."""
