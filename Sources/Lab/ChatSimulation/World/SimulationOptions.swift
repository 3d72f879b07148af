/// How a world is run.
package struct SimulationOptions: Hashable, Sendable {
    /// Every frame and answer goes through the JSON codec.
    package var usesCodec = false
    /// A mistake that is made on purpose.
    package var plantedBug: PlantedBug?
    /// How many of the last lines of the trace are kept; 0 keeps none and costs nothing.
    package var traceLines = 0
    /// Everything that the cores were given and gave back is kept, to be compared.
    package var keepsTurns = false

    package init() {}
}
