/// The anchors and the time of the context on whose behalf a custom evaluator is being asked.
///
/// A custom evaluator gets a chain and a host, and nothing that it could pass on to an evaluator of Holdfast's own that it
/// holds. Without this, that one would fall back on the machine's roots and clock.
package struct EvaluationScope: Sendable {
    package var time: Timestamp
    package var anchors: TrustAnchors

    @TaskLocal package static var current: EvaluationScope?
}
