import NIOPosix

/// The threads that verify certificates: two of the process's own, since a signature check takes too long for an event
/// loop and must not wait behind file reads in the shared pool of NIO.
enum VerificationPool {
    static let threads = NIOThreadPool._makePerpetualStartedPool(
        numberOfThreads: 2, threadNamePrefix: "holdfast-trust-")
}
