import NIOPosix

/// Two process-wide threads that verify certificates. A signature check takes too long for an event loop, and it must
/// not wait behind file reads in NIO's shared pool.
enum VerificationPool {
    static let threads = NIOThreadPool._makePerpetualStartedPool(
        numberOfThreads: 2, threadNamePrefix: "holdfast-trust-")
}
