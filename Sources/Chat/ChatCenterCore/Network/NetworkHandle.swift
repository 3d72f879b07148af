/// An operation in progress that can be cancelled.
package enum NetworkHandle: Hashable, Sendable {
    case call(CallID)
    case transfer(TransferID)
}
