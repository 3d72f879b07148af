/// A pin as it stands in a file.
public struct PolicyPin: Hashable, Sendable {
    /// The text of the file.
    public var text: String
    /// What it means; `nil` if it means nothing.
    public var pin: Pin?
    /// What the author wrote beside it.
    public var comment: String?
    /// The path of the element.
    public var path: String
    /// Where it stands.
    public var position: SourcePosition?

    /// Makes a pin.
    public init(
        text: String, pin: Pin?, comment: String? = nil, path: String = "", position: SourcePosition? = nil
    ) {
        self.text = text
        self.pin = pin
        self.comment = comment
        self.path = path
        self.position = position
    }

    /// Wraps a pin that was never in a file.
    public init(_ pin: Pin) {
        self.init(text: pin.description, pin: pin)
    }
}
