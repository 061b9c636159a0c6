#!/bin/sh
echo 1
# fixpoint: off
echo 2
# fixpoint: on
echo 3