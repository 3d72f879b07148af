@_exported public import HoldfastTestSupport  // reason: certificates and clocks are part of the kit's API
