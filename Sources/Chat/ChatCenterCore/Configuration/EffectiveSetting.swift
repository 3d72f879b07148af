/// A value in force and where it comes from.
public struct EffectiveSetting<Value: Hashable & Sendable>: Hashable, Sendable {
    /// What counts.
    public var value: Value
    /// Who decided it.
    public var origin: SettingOrigin

    /// A value of this origin.
    public init(_ value: Value, _ origin: SettingOrigin) {
        self.value = value
        self.origin = origin
    }
}
