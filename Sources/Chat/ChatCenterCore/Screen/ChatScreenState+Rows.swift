extension ChatScreenState {
    /// Returns whether both states have the same rows, without creating them. States of one conversation usually share
    /// the storage of their messages, so that the comparison takes constant time.
    ///
    /// The revision alone is not enough: a survey expires and an upload advances without a change of the messages.
    package func hasSameRows(as other: ChatScreenState) -> Bool {
        revision == other.revision && showsLinkPreviews == other.showsLinkPreviews && hidden == other.hidden
            && answerable == other.answerable && uploads == other.uploads && uploading == other.uploading
            && window.messages == other.window.messages
    }
}
