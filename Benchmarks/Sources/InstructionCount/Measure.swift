import ArgumentParser

/// An operation whose instructions are counted.
enum Measure: String, CaseIterable, ExpressibleByArgument {
    /// A GET request of `HTTPClient` on an open connection: HTTP/1.1 over TLS, with pins.
    case request
    /// The client's part of a full TLS handshake, with pins and without the verdict cache.
    case handshake
    /// A WebSocket message of 32 bytes and its echo, over TLS.
    case frame
    /// `ChatCenterUISDK.send` without a connection, until the message is on the disk.
    case send

    /// The numbers of operations in two runs. The difference of their instructions excludes the start of the process.
    var operations: (few: Int, many: Int) {
        switch self {
        case .request: (100, 600)
        case .handshake: (10, 60)
        case .frame: (200, 2200)
        case .send: (20, 120)
        }
    }
}
