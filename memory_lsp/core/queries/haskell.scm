(signature) @function
(function) @function
(bind) @function
(pragma) @pragma
(data_type) @enum
(newtype) @struct
(type_synomym name: (name) @name) @type
(type_family name: (name) @name) @type
(class name: (name) @name) @trait
(instance name: (name) @name) @module
(data_constructor) @variant
(gadt_constructor name: (constructor) @name) @variant
(field name: (field_name (variable) @name)) @field
