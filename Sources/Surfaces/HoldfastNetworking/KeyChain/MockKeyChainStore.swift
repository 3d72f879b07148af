/// GentleNetworking's name for a store in memory.
public typealias MockKeyChainStore = InMemoryKeyChainStore
