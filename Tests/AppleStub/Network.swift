// The signatures of Apple's Network framework that Holdfast uses: `scripts/check-apple.sh` compiles this into a module
// named Network. Nothing here is ever run.

public import Dispatch

public final class NWPathMonitor: Sendable {
    public init() {}
    @preconcurrency public var pathUpdateHandler: (@Sendable (_ newPath: NWPath) -> Void)? {
        get { nil }
        set {}
    }
    public func start(queue: DispatchQueue) {}
    public func cancel() {}
}

public struct NWPath: Equatable, Sendable {
    public enum Status: Sendable {
        case satisfied, unsatisfied, requiresConnection
    }

    public var status: Status { .satisfied }
    public var availableInterfaces: [NWInterface] { [] }
    public var gateways: [NWEndpoint] { [] }
}

public struct NWInterface: Hashable, Sendable {
    public enum InterfaceType: Sendable {
        case other, wifi, cellular, wiredEthernet, loopback
    }

    public var name: String { "" }
    public var type: InterfaceType { .other }
}

public enum NWEndpoint: Hashable, Sendable {
    case hostPort(host: String, port: UInt16)
}
