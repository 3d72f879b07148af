/// Something under way that can be called off.
package enum NetworkHandle: Hashable, Sendable {
    case call(CallID)
    case transfer(TransferID)
}
