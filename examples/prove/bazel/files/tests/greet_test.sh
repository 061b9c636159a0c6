#!/bin/sh
result=$(sh greet.sh Ada)
[ "$result" = "Hello, Ada" ] || {
  echo "greet.sh prints '$result'"
  exit 1
}
