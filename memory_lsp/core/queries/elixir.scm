(call target: (identifier) @_call (arguments . (alias) @name) (#any-of? @_call "defmodule" "defprotocol" "defimpl")) @module
(call target: (identifier) @_call (arguments . [(call) (identifier) (binary_operator) (unary_operator) (block)] @name) (#any-of? @_call "def" "defp" "defmacro" "defmacrop" "defguard" "defguardp" "defdelegate" "defn" "defnp")) @function
(call target: (identifier) @_call (arguments . (string) @name) (#any-of? @_call "test" "describe" "property" "feature")) @test
(call target: (identifier) @_call (arguments [(atom) @name (list (atom) @name)]) (#any-of? @_call "defstruct" "defexception")) @field
(call target: (identifier) @_call (arguments [(keywords (pair key: (keyword) @name)) (list (keywords (pair key: (keyword) @name)))]) (#any-of? @_call "defstruct" "defexception")) @field
(unary_operator operator: "@" operand: (call target: (identifier) @name)) @constant
