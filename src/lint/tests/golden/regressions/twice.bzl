x = "skylark"  # Skylark and skylark, twice
