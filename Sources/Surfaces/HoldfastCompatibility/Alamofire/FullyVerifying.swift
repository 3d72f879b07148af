/// An evaluator that may leave parts of the system verification out, and knows whether it does.
protocol FullyVerifying: ServerTrustEvaluating {
    /// Whether it verifies at least what the system verification does, with anchors that were given to it or with the
    /// context's. Holdfast's transports then need not do the same before it.
    var verifiesFully: Bool { get }
}
