public import ArgumentParser
public import HoldfastTrust

extension Timestamp: ExpressibleByArgument {
    public init?(argument: String) {
        self.init(iso8601: argument)
    }
}
