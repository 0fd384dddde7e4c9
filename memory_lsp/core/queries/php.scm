(class_declaration name: (name) @name) @class
(interface_declaration name: (name) @name) @interface
(trait_declaration name: (name) @name) @trait
(enum_declaration name: (name) @name) @enum
(enum_case name: (name) @name) @variant
(method_declaration name: (name) @name) @method
(function_definition name: (name) @name) @function
(const_declaration (const_element . (name) @name) @constant)
(property_declaration (property_element name: (variable_name (name) @name)) @field)
(expression_statement (function_call_expression function: (name) @_call arguments: (arguments . (argument (string) @name) . (argument) @body) (#eq? @_call "define")) @constant)
(program (expression_statement (assignment_expression left: (variable_name (name) @name)) @constant))
