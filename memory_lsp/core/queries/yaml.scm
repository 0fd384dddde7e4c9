(block_mapping_pair key: (flow_node) @name value: (_) @body) @key
(block_mapping_pair key: (flow_node) @name !value) @key
(flow_pair key: (flow_node) @name value: (_) @body) @key
