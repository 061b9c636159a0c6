#!/bin/sh
# Greets the person that the argument names.
echo "Hello, $2"
