/// A lifetime for each scope.
struct ScopeLifetimes: Hashable, Sendable {
    private var any = PinLifetime.absent
    private var leaf = PinLifetime.absent
    private var ca = PinLifetime.absent

    subscript(_ scope: Pin.Scope) -> PinLifetime {
        get {
            switch scope {
            case .any: any
            case .leaf: leaf
            case .ca: ca
            }
        }
        set {
            switch scope {
            case .any: any = newValue
            case .leaf: leaf = newValue
            case .ca: ca = newValue
            }
        }
    }

    /// Whether each scope has a lifetime.
    var coversEveryScope: Bool { any != .absent && leaf != .absent && ca != .absent }
}
