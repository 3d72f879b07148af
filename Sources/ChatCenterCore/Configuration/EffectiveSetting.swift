/// A value in force and where it comes from.
public struct EffectiveSetting<Value: Hashable & Sendable>: Hashable, Sendable {
    public var value: Value
    public var origin: SettingOrigin

    public init(_ value: Value, _ origin: SettingOrigin) {
        self.value = value
        self.origin = origin
    }
}
