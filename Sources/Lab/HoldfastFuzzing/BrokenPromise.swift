/// Something that must hold for all bytes does not hold for some.
public struct BrokenPromise: Error, CustomStringConvertible {
    /// What does not hold.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    /// Throws unless it holds.
    static func unless(_ holds: Bool, _ description: @autoclosure () -> String) throws(BrokenPromise) {
        guard holds else { throw BrokenPromise(description()) }
    }
}
