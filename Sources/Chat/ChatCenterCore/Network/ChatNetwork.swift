/// The network interface that the core's driver uses.
package protocol ChatNetwork: Sendable {
    /// Starts the command and returns at once. Events go to the sink that was passed at initialization.
    func perform(_ command: NetworkCommand)
}
