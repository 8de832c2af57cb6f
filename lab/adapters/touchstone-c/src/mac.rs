//! Message authentication codes with and without a nonce.
#![allow(unsafe_code)]

use touchstone_worker::{Batch, Failure, MACS, Message, Plan, Work, Written, algorithm};

use crate::ffi::{Api, Handle, Many, STATE, Touchstone, p, p_mut};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Plain,
    WithNonce,
    /// A MAC whose key is for one message.
    OneTime,
}

impl Kind {
    fn of(library: &Touchstone, name: &str) -> Self {
        let api = &library.api;
        if library.shortest(api.touchstone_mac_nonce_sizes_of, name) != 0 {
            Self::WithNonce
        } else if second_tag_is_refused(library, name) {
            Self::OneTime
        } else {
            Self::Plain
        }
    }
}

fn second_tag_is_refused(library: &Touchstone, name: &str) -> bool {
    let api = &library.api;
    let key = vec![7; library.shortest(api.touchstone_mac_key_sizes_of, name)];
    let Ok(mac) = handle(api, name, None) else {
        return false;
    };
    // SAFETY: the handle is live, and each length is the length of its bytes.
    let codes = unsafe {
        let mut tag = vec![0; (api.touchstone_mac_tag_size)(mac.pointer)];
        (api.touchstone_mac_set_key)(mac.pointer, p(&key), key.len());
        let (t, size) = (p_mut(&mut tag), tag.len());
        [(); 2].map(|()| (api.touchstone_mac_message)(mac.pointer, p(&[]), 0, t, size))
    };
    codes == [0, STATE]
}

fn handle(api: &Api, name: &str, tag: Option<usize>) -> Result<Handle, Failure> {
    let handle = Handle::new(api, api.touchstone_mac_free, name, api.touchstone_mac_new)?;
    if let Some(size) = tag {
        let set = if size < 4 {
            api.touchstone_mac_set_tag_size_insecure
        } else {
            api.touchstone_mac_set_tag_size
        };
        handle.set_tag_size(api, set, size)?;
    }
    Ok(handle)
}

#[derive(Clone)]
pub(crate) struct Mac {
    api: Api,
    name: String,
    kind: Kind,
    /// Length of the tag in bytes; `None` means the algorithm's own length.
    tag: Option<usize>,
}

pub(crate) struct Tagger {
    handle: Handle,
    /// Length of the tag in bytes.
    tag: usize,
    /// The key, if each message needs the key again.
    key: Vec<u8>,
    many: Many,
}

impl Plan for Mac {
    type Library = Touchstone;
    type Object = Tagger;
    const OPERATIONS: &'static [&'static str] = MACS;

    fn find(library: &Touchstone, primitive: &str, operation: &str) -> Option<Self> {
        let name = algorithm(primitive, operation);
        library.macs.contains(&name).then(|| Self {
            api: library.api,
            kind: Kind::of(library, &name),
            tag: None,
            name,
        })
    }

    fn api(&self, _: &str, _: &str) -> String {
        "touchstone_mac_message".into()
    }

    fn note(&self, _: &str, _: &str) -> &'static str {
        match self.kind {
            Kind::OneTime => "a key is for one message, so each message sets the key up",
            _ => "",
        }
    }

    /// These MACs are serial within a message, so many messages at once are faster than one
    /// after the other.
    fn many(&self, primitive: &str, operation: &str) -> Option<&'static str> {
        let chain = ["cmac", "cbc-mac", "dmac"].contains(&operation);
        (chain || primitive.starts_with("hmac-")).then_some("touchstone_mac_many")
    }

    fn fit(mut self, work: &Work) -> Result<Self, Failure> {
        if work.parameter().is_some() {
            return Err(Failure::unsupported("a MAC with a parameter"));
        }
        if self.kind != Kind::WithNonce && !work.nonce.is_empty() {
            return Err(Failure::unsupported("a MAC with a nonce"));
        }
        self.tag = work.tag;
        Ok(self)
    }

    fn make(&self) -> Result<Tagger, Failure> {
        let handle = handle(&self.api, &self.name, self.tag)?;
        // SAFETY: the handle is live.
        let tag = unsafe { (self.api.touchstone_mac_tag_size)(handle.pointer) };
        Ok(Tagger {
            handle,
            tag,
            key: Vec::new(),
            many: Many::default(),
        })
    }

    fn set_key(&self, mac: &mut Tagger, key: &[u8]) -> Result<(), Failure> {
        if self.kind == Kind::OneTime {
            mac.key.clear();
            mac.key.extend_from_slice(key);
        }
        let set_key = self.api.touchstone_mac_set_key;
        mac.handle.set_key(&self.api, set_key, key)
    }

    #[inline(always)]
    fn process(&self, mac: &mut Tagger, message: &Message<'_>, output: &mut [u8]) -> Written {
        let Message { nonce, input, .. } = *message;
        let (api, handle, size) = (&self.api, mac.handle.pointer, mac.tag);
        let tag = p_mut(&mut output[..size]);
        // SAFETY: the handle is live, and each length is the length of its bytes.
        let code = unsafe {
            match self.kind {
                Kind::Plain => {}
                Kind::WithNonce => {
                    api.check((api.touchstone_mac_set_nonce)(
                        handle,
                        p(nonce),
                        nonce.len(),
                    ))?;
                }
                Kind::OneTime => {
                    let (key, len) = (p(&mac.key), mac.key.len());
                    api.check((api.touchstone_mac_set_key)(handle, key, len))?;
                }
            }
            (api.touchstone_mac_message)(handle, p(input), input.len(), tag, size)
        };
        api.check(code).map(|()| size)
    }

    fn process_many(&self, mac: &mut Tagger, batch: &Batch<'_>, output: &mut [u8]) -> Written {
        let (call, handle) = (self.api.touchstone_mac_many, mac.handle.pointer);
        mac.many
            .digests(&self.api, call, handle, batch, mac.tag, output)
    }
}
