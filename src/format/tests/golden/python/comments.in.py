#!/usr/bin/env python3
import os,sys
x = {  'a':1,'b' : [1,2,3] } #trailing
def f( a,b = 2 ):
  '''Doc   string

     indented.
  '''
  # own line
  if a :
       # fixpoint: off
       m = [1,0,
            0,1]
       # fixpoint: on
       return   m
  y   =   {  'k':1 }  # fixpoint: ignore[format-python]
  return "größe"+'"'
def long_function_name(argument_one, argument_two, argument_three, argument_four): pass
