/// What a policy asks of the number of pins for a host. With a single pin, a lost key locks every installed app out.
public enum BackupPins: Hashable, Sendable {
    /// A rule that enforces needs at least so many pins.
    case required(Int)
    /// Fewer than two are reported in ``PinningPolicy/warnings``.
    case warn
    /// One is enough.
    case off
}
