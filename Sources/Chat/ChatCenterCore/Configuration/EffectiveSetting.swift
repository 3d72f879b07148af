/// An effective setting and its origin.
public struct EffectiveSetting<Value: Hashable & Sendable>: Hashable, Sendable {
    /// The effective value.
    public var value: Value
    /// The origin of the value.
    public var origin: SettingOrigin

    /// Creates a setting with a value and its origin.
    public init(_ value: Value, _ origin: SettingOrigin) {
        self.value = value
        self.origin = origin
    }
}
