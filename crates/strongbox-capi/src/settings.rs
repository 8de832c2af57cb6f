//! Recipients, keys and options.
#![allow(unsafe_code)]

use core::ffi::{c_char, c_int};

use strongbox::{
    Costs, Identity, Passphrase, Recipient, SealOptions, SenderKey, SigningKey, Suite, text,
};

use crate::memory;
use crate::status::{Error, Result, STRONGBOX_ERROR_SETTING, code};

/// What a sealer or an opener is made from.
#[allow(non_camel_case_types, reason = "the name in C")]
pub struct strongbox_settings {
    passphrase: Option<Passphrase>,
    costs: Costs,
    recipients: Vec<Recipient>,
    keys: Vec<Identity>,
    sender: Option<SigningKey>,
    suite: &'static Suite,
    padded: bool,
    pub(crate) senders: Vec<SenderKey>,
}

impl strongbox_settings {
    pub(crate) fn options(&self) -> SealOptions {
        let mut recipients = self.recipients.clone();
        if let Some(phrase) = &self.passphrase {
            recipients.push(Recipient::Passphrase(phrase.clone(), None, self.costs));
        }
        SealOptions {
            suite: self.suite,
            padded: self.padded,
            sender: self.sender.clone(),
            ..SealOptions::new(recipients)
        }
    }

    pub(crate) fn identities(&self) -> Vec<Identity> {
        let mut all = self.keys.clone();
        if let Some(phrase) = &self.passphrase {
            all.push(Identity::Passphrase(phrase.clone(), None));
        }
        all
    }
}

/// Changes the settings.
unsafe fn change(
    settings: *mut strongbox_settings,
    change: impl FnOnce(&mut strongbox_settings) -> Result<()>,
) -> c_int {
    // SAFETY: the header's contract of handles.
    code(unsafe { memory::object_mut(settings) }.and_then(change))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_settings_new(settings: *mut *mut strongbox_settings) -> c_int {
    let made = Suite::by_name("aes-256-gcm")
        .map_err(Error::from)
        .map(|suite| strongbox_settings {
            passphrase: None,
            costs: Costs::default(),
            recipients: Vec::new(),
            keys: Vec::new(),
            sender: None,
            suite,
            padded: false,
            senders: Vec::new(),
        });
    // SAFETY: the header's contract of handles.
    code(unsafe { memory::give(settings, made) })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_settings_free(settings: *mut strongbox_settings) {
    // SAFETY: the header's contract of handles.
    unsafe { memory::free(settings) };
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_settings_passphrase(
    settings: *mut strongbox_settings,
    phrase: *const u8,
    length: usize,
) -> c_int {
    // SAFETY: the header's contract of handles and of bytes.
    unsafe {
        change(settings, |settings| {
            settings.passphrase = Some(Passphrase::new(memory::bytes(phrase, length)?));
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_settings_costs(
    settings: *mut strongbox_settings,
    memory: u32,
    passes: u32,
    lanes: u32,
) -> c_int {
    let set = |settings: &mut strongbox_settings| {
        let text = format!("memory={memory},passes={passes},lanes={lanes}");
        settings.costs = text.parse().map_err(|_| Error(STRONGBOX_ERROR_SETTING))?;
        Ok(())
    };
    // SAFETY: the header's contract of handles.
    unsafe { change(settings, set) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_settings_recipient(
    settings: *mut strongbox_settings,
    recipient: *const c_char,
) -> c_int {
    // SAFETY: the header's contract of handles and of texts.
    unsafe {
        change(settings, |settings| {
            let recipient = text::parse_recipient(memory::text(recipient)?)?;
            settings.recipients.push(recipient);
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_settings_keys(
    settings: *mut strongbox_settings,
    keys: *const c_char,
) -> c_int {
    // SAFETY: the header's contract of handles and of texts.
    unsafe {
        change(settings, |settings| {
            let phrase = settings.passphrase.clone();
            let ask = || phrase.clone().ok_or(strongbox::Error::WrongPassphrase);
            let keys = text::parse_keys(memory::text(keys)?, &mut || ask())?;
            settings
                .keys
                .extend(keys.secrets.into_iter().map(Identity::Key));
            settings.sender = keys.senders.into_iter().next().or(settings.sender.take());
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_settings_suite(
    settings: *mut strongbox_settings,
    name: *const c_char,
) -> c_int {
    // SAFETY: the header's contract of handles and of texts.
    unsafe {
        change(settings, |settings| {
            settings.suite = Suite::by_name(memory::text(name)?)?;
            Ok(())
        })
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_settings_pad(
    settings: *mut strongbox_settings,
    padded: c_int,
) -> c_int {
    let set = |settings: &mut strongbox_settings| {
        settings.padded = padded != 0;
        Ok(())
    };
    // SAFETY: the header's contract of handles.
    unsafe { change(settings, set) }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn strongbox_settings_sender(
    settings: *mut strongbox_settings,
    sender: *const c_char,
) -> c_int {
    // SAFETY: the header's contract of handles and of texts.
    unsafe {
        change(settings, |settings| {
            settings
                .senders
                .push(text::parse_sender(memory::text(sender)?)?);
            Ok(())
        })
    }
}
