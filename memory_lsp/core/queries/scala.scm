(class_definition name: (identifier) @name) @class
(class_parameter name: (identifier) @name) @field
(object_definition name: (identifier) @name) @object
(trait_definition name: (identifier) @name) @trait
(enum_definition name: (identifier) @name) @enum
(simple_enum_case name: (identifier) @name) @variant
(full_enum_case name: (identifier) @name) @variant
(package_object name: (identifier) @name) @object
(given_definition name: (identifier) @name) @object
(function_definition name: [(identifier) (operator_identifier)] @name) @function
(function_declaration name: [(identifier) (operator_identifier)] @name) @function
(val_definition pattern: [(identifier) (operator_identifier)] @name) @field
(var_definition pattern: (identifier) @name) @field
(val_definition pattern: (identifiers (identifier) @name)) @field
(var_definition pattern: (identifiers (identifier) @name)) @field
(val_definition pattern: (tuple_pattern (identifier) @name)) @field
(val_declaration name: (identifier) @name) @field
(var_declaration name: (identifier) @name) @field
(type_definition name: (type_identifier) @name) @type
