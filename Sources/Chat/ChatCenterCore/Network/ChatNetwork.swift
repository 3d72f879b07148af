/// The network as the core's driver sees it.
package protocol ChatNetwork: Sendable {
    /// Starts what the command asks for and returns at once; events go to the sink that was given at initialisation.
    func perform(_ command: NetworkCommand)
}
