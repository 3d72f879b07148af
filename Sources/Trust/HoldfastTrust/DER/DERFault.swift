/// What is wrong with DER bytes, and where.
struct DERFault: Error, Hashable, Sendable {
    enum Reason: String, Hashable, Sendable {
        case truncated = "the bytes end too early"
        case indefiniteLength = "an indefinite length is not DER"
        case longLengthForm = "a length is not in its shortest form"
        case highTag = "a tag above 30 does not occur in certificates"
        case unexpectedTag = "an element has an unexpected tag"
        case trailingBytes = "bytes are left over at the end"
        case invalidBoolean = "a boolean is neither 00 nor FF"
        case invalidInteger = "an integer is empty or not in its shortest form"
        case invalidBitString = "a bit string has an invalid count of unused bits"
        case invalidTime = "a time is not in the form that RFC 5280 prescribes"
        case tooManyElements = "there are too many elements"
    }

    var reason: Reason
    var offset: Int
}
