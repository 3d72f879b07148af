public import ArgumentParser
public import HoldfastTrust

extension PolicyFormat: ExpressibleByArgument {}
