/// Pins that several hosts share by name.
public struct PolicyPinSet: Hashable, Sendable {
    /// The name.
    public var name: String
    /// The pins.
    public var pins: [PolicyPin]
    /// The path of the element.
    public var path: String
    /// Where it stands.
    public var position: SourcePosition?

    /// Makes a pin set.
    public init(name: String, pins: [PolicyPin], path: String = "", position: SourcePosition? = nil) {
        self.name = name
        self.pins = pins
        self.path = path
        self.position = position
    }
}
