(function_definition name: (word) @name) @function
(program (variable_assignment name: (variable_name) @name) @constant)
(program (declaration_command (variable_assignment name: (variable_name) @name) @constant))
